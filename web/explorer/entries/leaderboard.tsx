/** @jsxImportSource preact */
import { LeaderboardPage } from "../leaderboard.tsx";
import { mount } from "../shell.tsx";

mount(LeaderboardPage);
