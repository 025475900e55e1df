/** @jsxImportSource preact */
import { hydrate } from "preact";
import { readPageData } from "../shared/data.ts";
import { ConsoleApp } from "./app.tsx";

const root = document.getElementById("app");
if (root) {
  hydrate(<ConsoleApp data={readPageData()} />, root);
  root.dataset.live = "true";
}
