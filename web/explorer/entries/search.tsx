/** @jsxImportSource preact */
import { SearchPage } from "../search.tsx";
import { mount } from "../shell.tsx";

mount(SearchPage);
