/** @jsxImportSource preact */
import { NowPage } from "../now.tsx";
import { mount } from "../shell.tsx";

mount(NowPage);
