/** @jsxImportSource preact */
import { HomePage } from "../home.tsx";
import { mount } from "../shell.tsx";

mount(HomePage);
