import { startLiveService } from "../support/live-service.ts";
import { conformance, UNHURRIED } from "./conformance-suite.ts";

conformance("SQLite", () =>
  startLiveService({ traders: 200, historyDays: 2, keepsHistory: true, settings: UNHURRIED }),
);
