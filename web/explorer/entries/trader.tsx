/** @jsxImportSource preact */
import { mount } from "../shell.tsx";
import { TraderPage } from "../trader.tsx";

mount(TraderPage);
