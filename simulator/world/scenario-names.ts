// What can be asked for, by name.

export const SCENARIOS = ["launch", "rug", "whale", "reorg", "rename", "outage", "quiet"] as const;
export type Scenario = (typeof SCENARIOS)[number];
/** Those that the world itself plays; the others are the schedule's and the server's. */
export type WorldScenario = Exclude<Scenario, "outage" | "quiet">;
