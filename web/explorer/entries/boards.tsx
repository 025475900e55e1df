/** @jsxImportSource preact */
import { BoardsPage } from "../boards.tsx";
import { mount } from "../shell.tsx";

mount(BoardsPage);
