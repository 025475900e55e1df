/** @jsxImportSource preact */
import { NotFoundPage } from "../plain.tsx";
import { mount } from "../shell.tsx";

mount(NotFoundPage);
