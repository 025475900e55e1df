import { describe } from "bun:test";
import { createLog } from "../../kit/log.ts";
import { memoryBus } from "./memory.ts";
import { busSuite } from "./suite.ts";

describe("the bus in memory", () => {
  busSuite(async () => memoryBus(createLog("silent", () => 0)));
});
