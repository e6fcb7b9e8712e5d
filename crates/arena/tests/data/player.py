"""A contest player that can be told to misbehave: player.py [WHAT VALUE]...

exit N         ends with status 3 at slide N, after a word on standard error
crash N        dies of a signal at slide N
tile T         sleeps for good once there is a tile T
close N        closes its output at slide N and sleeps for good
delay MS       waits before each answer
form TEXT      writes answers in this form, with the number for D; \\ escapes
after TEXT     writes this after the end of the game
linger SECONDS sleeps after the end of the game
"""

import os
import signal
import sys
import time


def slid(line):
    tiles = [tile for tile in line if tile]
    merged = []
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tile += tiles.pop(0)
        merged.append(tile)
    return merged + [0] * (4 - len(merged))


def turned(board):
    """The board turned left by a quarter."""
    return [list(row) for row in zip(*board)][::-1]


def after(board, slide):
    """The board after slide 1 (up) to 4 (left)."""
    # Turned once, up is left; right takes two turns and down three.
    n_turns = slide % 4
    for _ in range(n_turns):
        board = turned(board)
    board = [slid(row) for row in board]
    for _ in range(-n_turns % 4):
        board = turned(board)
    return board


def main():
    options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    form = options.get("form", "D\\n").encode().decode("unicode_escape")
    board = [[0] * 4 for _ in range(4)]
    n_slides = 0
    for line in sys.stdin:
        words = line.split()
        if words[0] == "init":
            r1, c1, r2, c2 = map(int, words[1:])
            board[r1][c1] = board[r2][c2] = 2
        elif words[0] == "generate":
            r, c, x = map(int, words[1:])
            board[r][c] = x
        elif words[0] == "end":
            sys.stdout.write(options.get("after", ""))
            sys.stdout.flush()
            time.sleep(float(options.get("linger", "0")))
            return
        else:
            n_slides += 1
            if n_slides == int(options.get("exit", "0")):
                sys.exit(print("a word", file=sys.stderr) or 3)
            if n_slides == int(options.get("crash", "0")):
                os.kill(os.getpid(), signal.SIGKILL)
            if n_slides == int(options.get("close", "0")):
                os.close(1)
                time.sleep(300)
            if max(map(max, board)) >= int(options.get("tile", "999999")):
                time.sleep(300)
            time.sleep(int(options.get("delay", "0")) / 1000)
            for slide in (3, 4, 2, 1):
                moved = after(board, slide)
                if moved != board:
                    board = moved
                    sys.stdout.write(form.replace("D", str(slide)))
                    sys.stdout.flush()
                    break


main()
