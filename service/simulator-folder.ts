// Where the simulated world is kept. A data folder from before the simulator had its name goes on being used as it is.
import { existsSync } from "node:fs";
import { join } from "node:path";

const FORMER_NAME = "platform";

export function simulatorFolder(dataFolder: string): string {
  const former = join(dataFolder, FORMER_NAME);
  return existsSync(former) ? former : join(dataFolder, "simulator");
}
