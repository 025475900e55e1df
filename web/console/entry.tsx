/** @jsxImportSource preact */
import { readPageData } from "../shared/data.ts";
import { takeOver } from "../shared/take-over.tsx";
import { ConsoleApp } from "./app.tsx";

takeOver(<ConsoleApp data={readPageData()} />);
