// What Bun reports about one file: each test with its name and how it ended.

export interface TestOutcome {
  name: string;
  outcome: "passed" | "failed" | "skipped";
}

const CASE = /<testcase name="([^"]*)" classname="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const decode = (text: string) => text.replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole);
/** Bun's name for a hook. */
const HOOK = "(unnamed)";

export function readJunit(xml: string): TestOutcome[] {
  return [...xml.matchAll(CASE)].flatMap(([, name = "", suites = "", body = ""]): TestOutcome[] => {
    const outcome = body.includes("<failure") ? "failed" : body.includes("<skipped") ? "skipped" : "passed";
    const isHook = name === HOOK;
    if (isHook && outcome !== "failed") return [];
    // The innermost suite stands first.
    const path = suites === "" ? [] : decode(suites).split(" > ").reverse();
    return [{ name: [...path, isHook ? "a hook" : decode(name)].join(" > "), outcome }];
  });
}
