// A contest player to start from: it keeps the board and makes the first slide
// of a fixed order that changes something. It gets to 256 or so.
#include "player.h"

#include <array>

using Board = std::array<std::array<int, 4>, 4>;

static Board board;

// Slides one line of four cells towards its first.
static void slide_line(std::array<int, 4>& line) {
    std::array<int, 4> after{};
    int n_placed = 0;
    bool may_merge = false;
    for (int tile : line) {
        if (tile == 0) continue;
        if (may_merge && after[n_placed - 1] == tile) {
            after[n_placed - 1] *= 2;
            may_merge = false;
        } else {
            after[n_placed++] = tile;
            may_merge = true;
        }
    }
    line = after;
}

// The board after a slide: 1 up, 2 right, 3 down, 4 left.
static Board after_slide(const Board& before, int slide) {
    Board after = before;
    for (int idx = 0; idx < 4; ++idx) {
        // The cell number `along` of line `idx`, from the edge slid to.
        auto cell = [&](int along) -> int& {
            switch (slide) {
                case 1: return after[along][idx];
                case 2: return after[idx][3 - along];
                case 3: return after[3 - along][idx];
                default: return after[idx][along];
            }
        };
        std::array<int, 4> line{cell(0), cell(1), cell(2), cell(3)};
        slide_line(line);
        for (int along = 0; along < 4; ++along) cell(along) = line[along];
    }
    return after;
}

void init(int r1, int c1, int r2, int c2) {
    board = Board{};
    board[r1][c1] = 2;
    board[r2][c2] = 2;
}

void generate(int r, int c, int x) { board[r][c] = x; }

int sliderequest() {
    for (int slide : {3, 4, 2, 1}) {
        Board after = after_slide(board, slide);
        if (after != board) {
            board = after;
            return slide;
        }
    }
    return 0;  // Never asked for when no slide is legal.
}
