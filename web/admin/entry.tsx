/** @jsxImportSource preact */
import { readPageData } from "../shared/data.ts";
import { takeOver } from "../shared/take-over.tsx";
import { AdminApp } from "./app.tsx";

takeOver(<AdminApp data={readPageData()} />);
