// Joins a player's three functions to the grader: requests come in on standard
// input, answers go out on standard output. Whatever the player itself writes
// to std::cout would be read as an answer, so it goes to standard error.
#include <cstdio>
#include <iostream>
#include <string>

#include "player.h"

int main() {
    std::cout.rdbuf(std::cerr.rdbuf());
    std::string request;
    while (std::cin >> request) {
        if (request == "init") {
            int r1, c1, r2, c2;
            std::cin >> r1 >> c1 >> r2 >> c2;
            init(r1, c1, r2, c2);
        } else if (request == "generate") {
            int r, c, x;
            std::cin >> r >> c >> x;
            generate(r, c, x);
        } else if (request == "slide") {
            std::printf("%d\n", sliderequest());
            std::fflush(stdout);
        } else {
            // "end M score": the game is over.
            break;
        }
    }
    return 0;
}
