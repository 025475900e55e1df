// Who sent a request: the key in its header, a bare key, a ticket, or an address alone.
import { fault } from "../../../contract/errors.ts";
import type { AccessRule } from "../../../contract/route.ts";
import type { MaybePromise } from "../../../kit/maybe-promise.ts";
import { storeFault } from "../ledger/unavailable.ts";
import { addressSubject } from "./address.ts";
import type { Authenticator } from "./authenticate.ts";
import type { Caller, KeyCaller } from "./caller.ts";
import type { Tickets } from "./tickets.ts";

/** Resolved only when needed: finding a connection's owner costs as much as checking a key. */
export type Address = string | (() => string);

export interface Identifier {
  /** The caller, or the `unauthorized` fault. An open route refuses no one: a bad key counts as no key. */
  identify(authorization: string | null, address: Address, rule: AccessRule): MaybePromise<Caller>;
  /** The same from a bare key, for `?key=` on a socket. */
  identifyKey(secret: string): MaybePromise<KeyCaller>;
  /** The ticket's owner. This does not use it up: a caller who is refused after all may try again with it. */
  identifyTicket(ticket: string): Promise<KeyCaller>;
  /** Uses up the ticket, or throws if it was used meanwhile. */
  redeemTicket(ticket: string): Promise<void>;
}

export function createIdentifier(parts: { authenticator: Authenticator; tickets: Tickets }): Identifier {
  const { authenticator, tickets } = parts;
  const identifyKey = (secret: string): MaybePromise<KeyCaller> => {
    const found = authenticator.authenticate(secret);
    return found instanceof Promise ? found.then(known, storeFault) : known(found);
  };
  /** On an open route: the key's caller, or a keyless one. */
  const recognise = (secret: string, address: Address): MaybePromise<Caller> => {
    const anonymous = () => keyless(address);
    const found = authenticator.authenticate(secret);
    return found instanceof Promise
      ? found.then((caller) => caller ?? anonymous(), anonymous)
      : (found ?? anonymous());
  };
  return {
    identify(authorization, address, rule) {
      const secret = bearerOf(authorization);
      if (secret !== null) return rule === "open" ? recognise(secret, address) : identifyKey(secret);
      if (rule === "key" || rule === "onChain") {
        throw fault(
          "unauthorized",
          "This call needs a key: send it as Authorization: Bearer followed by the key.",
        );
      }
      return keyless(address);
    },
    identifyKey,
    async identifyTicket(ticket) {
      const keyId = await tickets.look(ticket).catch(storeFault);
      if (keyId === null) throw badTicket();
      return known(await authenticator.byId(keyId).catch(storeFault));
    },
    async redeemTicket(ticket) {
      if (!(await tickets.redeem(ticket).catch(storeFault))) throw badTicket();
    },
  };
}

const badTicket = () => fault("unauthorized", "This ticket is unknown, already used or expired.");

function known(caller: KeyCaller | null): KeyCaller {
  if (caller) return caller;
  throw fault("unauthorized", "This key is mistyped, unknown or revoked.");
}

function keyless(address: Address): Caller {
  const from = typeof address === "string" ? address : address();
  return { kind: "keyless", address: from, subject: `ip:${addressSubject(from)}` };
}

const BEARER = /^Bearer +(\S+) *$/i;
const USUAL = "Bearer ct_";

/** The key in a header; a header of another form counts as a bad key, not as none. */
function bearerOf(authorization: string | null): string | null {
  if (authorization === null || authorization === "") return null;
  // Nearly every header; anything else wrong with it makes it an unknown key.
  if (authorization.startsWith(USUAL)) return authorization.slice("Bearer ".length);
  return BEARER.exec(authorization)?.[1] ?? "";
}
