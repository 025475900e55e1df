// Maps a path to the route that serves it, for calls that do not come over the wire: a page rendered here, a
// request inside a batch. The server's router does the same for those that do.
import { type AnyRoute, canonicalParams, pathNames } from "../../contract/route.ts";
import type { RunRoute } from "./answer.ts";

/** The path without its query; null: no such route. */
export type FindRoute = (path: string) => { run: RunRoute; params: Record<string, string> } | null;

/** Maps a path to the route that serves it; routes with more fixed parts are matched first. */
export function createFinder(routes: readonly { route: AnyRoute; run: RunRoute }[]): FindRoute {
  const table = routes
    .flatMap(({ route, run }) =>
      [route.path, ...route.aliases].map((path) => {
        const names = pathNames(path);
        const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{[^}]+\}/g, "([^/]+)")}$`);
        return { route, run, path, names, pattern };
      }),
    )
    .sort((a, b) => a.names.length - b.names.length);
  return (path) => {
    for (const { route, run, path: template, names, pattern } of table) {
      const match = pattern.exec(path);
      if (!match) continue;
      const values = Object.fromEntries(names.map((name, index) => [name, decoded(match[index + 1] ?? "")]));
      return { run, params: canonicalParams(route, template, values) };
    }
    return null;
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
