// A webhook's target URL. It is parsed once, by rules that apply before any name is resolved; the addresses behind the
// name are checked at every delivery, and the connection goes to the one that was checked.
import { isIP } from "node:net";
import { type Fault, fault } from "../../contract/errors.ts";
import { isPublicAddress } from "./addresses.ts";

/** `any` also allows http and private addresses: for tests on one machine. */
export type Targets = "public" | "any";

export interface Target {
  url: URL;
  /** The name, or an address without brackets. */
  host: string;
}

/** Names that mean this machine or its network, whatever a resolver says. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa|onion)$/;
const HTTPS_PORT = 443;
/** Below it are the ports of other protocols, which a request must not be smuggled to. */
const PORT_MIN = 1_024;

const refuse = (sentence: string): Fault => fault("invalid_body", sentence, { param: "url" });

export function readTarget(text: string, targets: Targets): Target {
  const url = URL.parse(text);
  if (!url || url.hostname === "") throw refuse("url must be an https URL.");
  if (url.username !== "" || url.password !== "")
    throw refuse("url must not contain a user name or password: deliveries are signed instead.");
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const isHttp = url.protocol === "http:" && targets === "any";
  if (url.protocol !== "https:" && !isHttp) throw refuse("url must be an https URL.");
  if (targets === "any") return { url, host };
  const port = url.port === "" ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < PORT_MIN)
    throw refuse(`url must name port ${HTTPS_PORT}, or one from ${PORT_MIN} on.`);
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) throw refuse("url must lead to a public address.");
  } else if (!host.includes(".") || LOCAL_NAME.test(host)) {
    throw refuse("url must have a public host name.");
  }
  return { url, host };
}
