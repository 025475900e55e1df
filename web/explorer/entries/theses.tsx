/** @jsxImportSource preact */
import { mount } from "../shell.tsx";
import { ThesesPage } from "../theses.tsx";

mount(ThesesPage);
