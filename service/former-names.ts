// Names from before the simulator had its own: they go on working, and each says once what it is called now.

const FORMER: Record<string, string> = {
  PLATFORM_SEED: "SIMULATOR_SEED",
  PLATFORM_EVENTS_PER_SECOND: "SIMULATOR_EVENTS_PER_SECOND",
  PLATFORM_ADMIN_TOKEN: "SIMULATOR_ADMIN_TOKEN",
};

type Environment = Record<string, string | undefined>;

/** The environment under today's names, and a sentence for each former one. The newer name wins where both are set. */
export function underTodaysNames(given: Environment): { environment: Environment; warnings: string[] } {
  const environment = { ...given };
  const warnings: string[] = [];
  for (const [former, name] of Object.entries(FORMER)) {
    if (!environment[former]?.trim()) continue;
    warnings.push(`${former} is now called ${name}; the old name will go away.`);
    if (!environment[name]?.trim()) environment[name] = environment[former];
  }
  if (environment.UPSTREAM?.trim() === "embedded") {
    warnings.push("UPSTREAM=embedded is now called UPSTREAM=simulator; the old name will go away.");
    environment.UPSTREAM = "simulator";
  }
  return { environment, warnings };
}
