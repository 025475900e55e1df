// Bun's report on the files of one process: each test with its file, its name and its result.

export interface TestOutcome {
  path: string;
  name: string;
  outcome: "passed" | "failed" | "skipped";
  seconds: number;
}

const CASE =
  /<testcase name="([^"]*)" classname="([^"]*)" time="([\d.e-]+)" file="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const decode = (text: string) => text.replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole);
/** Bun's name for a hook. */
const HOOK = "(unnamed)";

export function readJunit(xml: string): TestOutcome[] {
  return [...xml.matchAll(CASE)].flatMap(([, name = "", suites = "", time, file = "", body = ""]) => {
    const outcome = body.includes("<failure") ? "failed" : body.includes("<skipped") ? "skipped" : "passed";
    const isHook = name === HOOK;
    if (isHook && outcome !== "failed") return [];
    // The innermost suite comes first.
    const path = suites === "" ? [] : decode(suites).split(" > ").reverse();
    const whole = [...path, isHook ? "a hook" : decode(name)].join(" > ");
    return [{ path: decode(file), name: whole, outcome, seconds: Number(time) } satisfies TestOutcome];
  });
}
