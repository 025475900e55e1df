// A request's target, whatever its Host header says: one without a host, or with an invalid one, has a URL that
// can't be parsed, but is answered like any other.

/** The path and the query, as they were sent. */
export function targetOf(url: string): string {
  if (url.startsWith("/")) return url;
  const authority = url.indexOf("://");
  const path = url.indexOf("/", authority < 0 ? 0 : authority + "://".length);
  return path < 0 ? "/" : url.slice(path);
}

export function queryOf(url: string): URLSearchParams {
  const [target = ""] = targetOf(url).split("#", 1);
  const mark = target.indexOf("?");
  return new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1));
}
