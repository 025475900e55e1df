/** @jsxImportSource preact */
import { mount } from "../shell.tsx";
import { TradePage } from "../trade.tsx";

mount(TradePage);
