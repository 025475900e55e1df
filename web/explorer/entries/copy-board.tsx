/** @jsxImportSource preact */
import { CopyBoardPage } from "../copy-board.tsx";
import { mount } from "../shell.tsx";

mount(CopyBoardPage);
