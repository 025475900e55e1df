import { expect, test } from "bun:test";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { createLabels } from "../api/present/labels.ts";
import type { Outcome } from "../upstream/port.ts";
import { imagePages } from "./images.ts";

const USER = "5f0c2c1e-6f1d-4a53-9d0e-0c6a2f1f9b11";
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>';

function pagesOver(answer: (kind: string, id: string) => Outcome<{ svg: string }>) {
  const asked: string[] = [];
  const pages = imagePages({
    deadlineMs: 100,
    chains: DEFAULT_CHAINS,
    pace: async (address) => {
      if (address === "busy") throw new Error("paced");
    },
    upstream: {
      image: async (kind, id) => {
        asked.push(`${kind} ${id}`);
        return answer(kind, id);
      },
    },
  });
  const get = async (path: string, params: Record<string, string>, address = "", url = "http://localhost/") =>
    pages[path]?.GET?.(Object.assign(new Request(url), { params }), address, address);
  return { asked, get };
}

test("a picture is served so that it can't run anything, and is requested once", async () => {
  const { asked, get } = pagesOver(() => ({ kind: "found", value: { svg: SVG } }));
  for (let turn = 0; turn < 2; turn++) {
    const response = await get("/images/avatar/{file}", { file: `${USER}.svg` });
    expect(await response?.text()).toBe(SVG);
    expect(response?.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(response?.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response?.headers.get("x-content-type-options")).toBe("nosniff");
  }
  await get("/images/token/{chain}/{file}", { chain: "base", file: "0xAb.svg" });
  expect(asked).toEqual([`avatar ${USER}`, "token base/0xAb"]);
});

test("a token's picture is found by whichever name of its chain the platform uses", async () => {
  const { asked, get } = pagesOver((_kind, id) =>
    id === "ethereum/0xAb" ? { kind: "found", value: { svg: SVG } } : { kind: "notFound" },
  );
  expect(await (await get("/images/token/{chain}/{file}", { chain: "eth", file: "0xAb.svg" }))?.text()).toBe(
    SVG,
  );
  expect(asked).toEqual(["token eth/0xAb", "token ethereum/0xAb"]);
});

test("a page that gives the subject's name gets a face where the platform has no picture, made only of shapes", async () => {
  const { get } = pagesOver(() => ({ kind: "unsupported" }));
  for (const [name, from] of [
    ["a", ""],
    ["<script>", ""],
    ["a", "busy"],
  ] as const) {
    const path = `http://localhost/?face=${encodeURIComponent(name)}`;
    const response = await get("/images/avatar/{file}", { file: `${USER}.svg` }, from, path);
    expect([response?.status, response?.headers.get("cache-control")]).toEqual([200, "public, max-age=300"]);
    expect(await response?.text()).toMatch(
      /^<svg [^<>]*><path fill="#[0-9a-f]{6}" d="[Mhvz\d -]*"\/><\/svg>$/,
    );
  }
});

test("invalid picture paths are not requested, and a platform without pictures has none", async () => {
  const { asked, get } = pagesOver(() => ({ kind: "unsupported" }));
  for (const file of ["x.svg", `${USER}.png`, USER, "../secret.svg"])
    expect(get("/images/avatar/{file}", { file })).rejects.toThrow("no such picture");
  expect(get("/images/token/{chain}/{file}", { chain: "..", file: "0x.svg" })).rejects.toThrow(
    "no such picture",
  );
  expect(asked).toEqual([]);
  expect(get("/images/avatar/{file}", { file: `${USER}.svg` })).rejects.toThrow("no such picture");
});

test("a platform that does not answer is a refusal that invites a retry", async () => {
  const { get } = pagesOver(() => ({ kind: "timedOut" }));
  expect(get("/images/avatar/{file}", { file: `${USER}.svg` })).rejects.toThrow("did not finish");
});

test("a picture that is drawn here is named by the address that the service is known by, any other by its own", () => {
  let known = "http://127.0.0.1:8080";
  const { pictureUrl } = createLabels(DEFAULT_CHAINS, () => known);
  expect(pictureUrl("/images/avatar/a.svg")).toBe("http://127.0.0.1:8080/images/avatar/a.svg");
  known = "https://tape.example";
  expect(pictureUrl("/images/token/base/0x1.svg")).toBe("https://tape.example/images/token/base/0x1.svg");
  expect(pictureUrl("https://pictures.example/images/1.png")).toBe("https://pictures.example/images/1.png");
  expect(pictureUrl(null)).toBeNull();
});

test("a caller is paced before a request to upstream, and not for a cached picture", async () => {
  const { asked, get } = pagesOver(() => ({ kind: "found", value: { svg: SVG } }));
  const file = { file: `${USER}.svg` };
  expect(get("/images/avatar/{file}", file, "busy")).rejects.toThrow("paced");
  expect(asked).toEqual([]);
  await get("/images/avatar/{file}", file);
  expect((await get("/images/avatar/{file}", file, "busy"))?.status).toBe(200);
});
