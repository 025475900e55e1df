import { startLiveService } from "../support/live-service.ts";
import { conformance } from "./conformance-suite.ts";

conformance("SQLite", () => startLiveService({ traders: 200, historyDays: 2, keepsHistory: true }));
