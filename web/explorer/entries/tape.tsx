/** @jsxImportSource preact */
import { mount } from "../shell.tsx";
import { TapePage } from "../tape.tsx";

mount(TapePage);
