// Whether a browser sent this from one of our own pages. A program that sends neither Sec-Fetch-Site nor Origin is no
// browser, and needs no protection from foreign pages.

export function isFromOwnPage(request: Request, publicUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  const origin = request.headers.get("origin");
  if (origin === null) return true;
  const host = hostOf(origin);
  return host !== null && (host === hostOf(request.url) || host === hostOf(publicUrl));
}

/**
 * A service that only this machine reaches is asked for by a name of this machine: a page elsewhere whose name was made to
 * lead here (DNS rebinding) is not.
 */
export function isOwnHost(request: Request, publicUrl: string): boolean {
  return !isLoopback(publicUrl) || isLoopback(request.url);
}

const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
const isLoopback = (url: string) => LOOPBACK.test(URL.parse(url)?.hostname ?? "");

function hostOf(text: string): string | null {
  return URL.parse(text)?.host || null;
}
