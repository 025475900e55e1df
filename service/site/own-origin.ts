// Whether a browser sent this from one of our own pages. A client that sends neither Sec-Fetch-Site nor Origin is not a
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
 * A service reachable only from this machine must be requested by a loopback name: a foreign page whose name was made to
 * resolve here (DNS rebinding) does not do that.
 */
export function isOwnHost(request: Request, publicUrl: string): boolean {
  return !isLoopback(publicUrl) || isLoopback(request.url);
}

const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
const isLoopback = (url: string) => LOOPBACK.test(URL.parse(url)?.hostname ?? "");

function hostOf(text: string): string | null {
  return URL.parse(text)?.host || null;
}
