// The page of examples says what the contract says: every route is there, every request is one that the contract takes,
// and every answer has the shape that the contract declares. Out of step, it names the route; `npm run docs:api` fixes it.
import { describe, expect, test } from "bun:test";
import { readRequest } from "../contract/read.ts";
import { type AnyRoute, pathNames } from "../contract/route.ts";
import { ALL_ROUTES, ROUTES } from "../contract/routes.ts";

const page = await Bun.file(new URL("api.md", import.meta.url)).text();
const sections = page.split(/^### /m).slice(1);

const sectionOf = (route: AnyRoute) =>
  sections.filter((section) => section.includes(`\n\`${route.method} ${route.path}\``));

function block(section: string, language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\``).exec(section)?.[1] ?? "";
}

/** The values that a real path has where the route's has names; null when it is another path. */
function paramsOf(route: AnyRoute, pathname: string): Record<string, string> | null {
  const pattern = route.path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "([^/]+)");
  const values = new RegExp(`^${pattern}$`).exec(pathname);
  if (!values) return null;
  return Object.fromEntries(
    pathNames(route.path).map((name, index) => [name, decodeURIComponent(String(values[index + 1]))]),
  );
}

test("there is one section for each route, and none for anything else", () => {
  expect(sections.length).toBe(ALL_ROUTES.length);
});

describe.each(ALL_ROUTES.map((route) => [route.id, route] as const))("%s", (_id, route) => {
  const [section = "", ...others] = sectionOf(route);
  const [line = "", , body = ""] = block(section, "http").split("\n");
  const [method = "", address = ""] = line.split(" ");

  test("has its one section, with its words and prices", () => {
    expect([section !== "", others.length]).toEqual([true, 0]);
    expect(section).toContain(route.description);
    expect(section.startsWith(`${route.summary}\n`)).toBe(true);
    for (const alias of route.aliases) expect(section).toContain(alias);
    for (const code of route.errors) expect(section).toContain(`\`${code}\``);
    const cost = Number(/`x-credits-cost: (\d+)`/.exec(section)?.[1]);
    // A batch has no price of its own: it shows that of the two boards in its example.
    const inside = ROUTES.getLeaderboard.price.credits + ROUTES.getTrendingTokens.price.credits;
    const { credits, miss } = route.price;
    // On some days the example's trader has too few round trips, which is a miss.
    if (route.id === ROUTES.createReplay.id) expect([credits, miss]).toContain(cost);
    // What a file is costs nothing; the file does.
    else expect(cost).toBe(route.id === ROUTES.batch.id ? inside : route.hasRanges ? 0 : credits);
  });

  test("is asked for in a way that the contract takes", () => {
    const url = new URL(address, "http://example.test");
    const params = paramsOf(route, url.pathname);
    if (params === null) throw new Error(`${address} is not ${route.path}`);
    expect(method).toBe(route.method);
    const sent = body === "" ? {} : { body: JSON.parse(body) };
    expect(() => readRequest(route, { params, query: url.searchParams, ...sent })).not.toThrow();
    expect(Object.fromEntries(url.searchParams)).toEqual(
      expect.objectContaining(
        Object.fromEntries(Object.keys(route.example.query ?? {}).map((name) => [name, expect.any(String)])),
      ),
    );
  });

  test("is answered in the declared shape", () => {
    const shown = route.answer.safeParse(JSON.parse(block(section, "json")));
    expect(shown.success ? "" : shown.error.message).toBe("");
  });
});
