// A name in the proxy's header counts only if the connection comes from that proxy and the name is listed.
import { expect, test } from "bun:test";
import { Fault } from "../../../contract/errors.ts";
import { PAGE_HEADER } from "../../../web/shared/api.ts";
import { trustedProxies } from "../../access/identity/address.ts";
import { type AdminSettings, createAdminGuard } from "./guard.ts";

const PROXY = "10.0.0.7";
const CLIENT = "203.0.113.9";

/** The admitted operator, or the error code. */
async function asked(
  headers: Record<string, string>,
  { peer = PROXY, ...settings }: Partial<AdminSettings> & { peer?: string } = {},
) {
  const guard = createAdminGuard({
    settings: { key: null, header: "x-admin-user", names: [], ...settings },
    proxies: trustedProxies([`${PROXY}/32`]),
    pace: async () => {},
    publicUrl: () => "https://tape.example",
  });
  const request = new Request("https://tape.example/admin/data/keys", {
    headers: { [PAGE_HEADER]: "1", ...headers },
  });
  return guard(request, CLIENT, peer).then(
    ({ by }) => by,
    (error: unknown) => (error instanceof Fault ? error.code : String(error)),
  );
}

test("a header from a trusted proxy lets the named person in, and their name is logged", async () => {
  expect(await asked({ "x-admin-user": "ann@example.com" })).toBe("ann@example.com");
  expect(await asked({ "x-admin-user": "ann" }, { names: ["ann", "bob"] })).toBe("ann");
});

test("the same header from anywhere else is ignored, whatever is forwarded", async () => {
  const forged = { "x-admin-user": "ann", "x-forwarded-for": PROXY };
  for (const peer of [CLIENT, "127.0.0.1", "unknown", "10.0.0.70"])
    expect(await asked(forged, { peer })).toBe("unauthorized");
});

test("another header, an empty one, two in one, and a name that is not listed are refused", async () => {
  expect(await asked({ "x-other-user": "ann" })).toBe("unauthorized");
  expect(await asked({ "x-admin-user": "" })).toBe("unauthorized");
  expect(await asked({ "x-admin-user": "ann, eve" })).toBe("unauthorized");
  expect(await asked({ "x-admin-user": "eve" }, { names: ["ann"] })).toBe("unauthorized");
  expect(await asked({ "x-admin-user": "ann" }, { header: null })).toBe("unauthorized");
});

test("a page on another site can't use the proxy header of the person viewing it", async () => {
  const named = { "x-admin-user": "ann" };
  expect(await asked({ ...named, "sec-fetch-site": "cross-site" })).toBe("origin_refused");
  expect(await asked({ ...named, "sec-fetch-site": "same-site" })).toBe("origin_refused");
  expect(await asked({ ...named, origin: "https://elsewhere.example" })).toBe("origin_refused");
  expect(await asked({ ...named, origin: "null" })).toBe("origin_refused");
  expect(await asked({ ...named, origin: "https://tape.example" })).toBe("ann");
});
