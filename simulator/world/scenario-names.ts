// The scenarios that can be requested, by name.

export const SCENARIOS = ["launch", "rug", "whale", "reorg", "rename", "outage", "quiet"] as const;
export type Scenario = (typeof SCENARIOS)[number];
/** Those that the world itself runs; the schedule and the server handle the others. */
export type WorldScenario = Exclude<Scenario, "outage" | "quiet">;
