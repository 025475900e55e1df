/** @jsxImportSource preact */
import { hydrate } from "preact";
import { readPageData } from "../shared/data.ts";
import { AdminApp } from "./app.tsx";

const root = document.getElementById("app");
if (root) {
  hydrate(<AdminApp data={readPageData()} />, root);
  root.dataset.live = "true";
}
