// The three functions of a contest player. Define them in a file of your own
// and compile it together with main.cpp; README.md has the command.
#ifndef AFTERSTATE_PLAYER_H
#define AFTERSTATE_PLAYER_H

// The game starts with a 2 at row r1, column c1 and at row r2, column c2.
// Rows and columns count from 0, row 0 on top, column 0 on the left.
void init(int r1, int c1, int r2, int c2);

// A new tile x (2 or 4) appeared at row r, column c.
void generate(int r, int c, int x);

// The slide you want: 1 up, 2 right, 3 down, 4 left.
int sliderequest();

#endif
