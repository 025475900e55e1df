/** @jsxImportSource preact */
import { mount } from "../shell.tsx";
import { TokenPage } from "../token.tsx";

mount(TokenPage);
