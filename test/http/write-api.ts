// Writes docs/api.md: one request and one real answer for every route of the contract, taken from a run on the world that `npm
// start` serves, on a fixed date. Run it with `npm run docs:api` after the contract or an answer has changed.
import { ERROR_CODES } from "../../contract/errors.ts";
import { examplePath, filledExample, PLACEHOLDERS } from "../../contract/examples.ts";
import { type AnyRoute, TAGS, type Tag } from "../../contract/route.ts";
import { ALL_ROUTES, ROUTES } from "../../contract/routes.ts";
import { fillCopyBoard } from "../support/copy-board.ts";
import { closeEveryDay } from "../support/history.ts";
import { DEFAULT_WORLD, type LiveService, startLiveService } from "../support/live-service.ts";

/** Any fixed instant works; names and addresses follow from the seed. */
const STARTS_AT = Date.UTC(2026, 2, 14, 15);
/** Rows shown of a list: the shape is what matters. */
const ROWS_SHOWN = 1;
const TEXT_SHOWN = 160;
/** Replaces the port that happened to be free. */
const SERVED_AT = "http://127.0.0.1:8080";

const live = await startLiveService({ ...DEFAULT_WORLD, startsAt: STARTS_AT, keepsHistory: true });
try {
  await live.captured();
  const sections = await everySection(live);
  await Bun.write(
    new URL("../../docs/api.md", import.meta.url),
    `${[...introduction(), ...sections].join("\n\n")}\n`,
  );
} finally {
  await live.stop();
}

function introduction(): string[] {
  return [
    "# The HTTP interface, by example",
    "Every request below was sent to a running service on the simulated world that `npm start` serves, and every answer is what it sent " +
      `back. Reads work there as they are printed, with a key of the Scale plan; ids of payments and webhooks are your own. Lists are cut to their first row and keys are blanked out; nothing else is changed. \`npm run docs:api\` ` +
      "rewrites this page, and a test holds it to the contract. The full reference, with every parameter and " +
      "error, is served by the service itself at `/docs` and `/openapi.json`.",
  ];
}

async function everySection(service: LiveService): Promise<string[]> {
  const values = await lookAround(service);
  const sections: string[] = [];
  for (const [tag, about] of Object.entries(TAGS) as [Tag, string][]) {
    sections.push(`## ${tag}`, about);
    for (const route of ALL_ROUTES.filter((each) => each.tag === tag))
      sections.push(...(await sectionOf(service, route, values)));
  }
  return sections;
}

/** The examples' own names, and ids of objects created here. */
async function lookAround(service: LiveService): Promise<Record<string, string>> {
  const payment = await service.get("createPayment", "/pay/create", {
    method: "POST",
    body: { plan: "credits", amount: 50 },
  });
  const { accountId } = service.keys.scale;
  await fillCopyBoard(service, [PLACEHOLDERS.handle]);
  const spare = await service.service.access.keys.create({ accountId, name: "spare" });
  return {
    ...PLACEHOLDERS,
    paymentId: payment.body.paymentId,
    webhookId: (await webhookOf(service)).id,
    replayId: await replayOf(service),
    followId: await followOf(service),
    keyId: spare.key.id,
    historyDate: await closeEveryDay(service),
  };
}

async function sectionOf(
  service: LiveService,
  route: AnyRoute,
  values: Record<string, string>,
): Promise<string[]> {
  const filled =
    route.id === ROUTES.listTraderTokenTheses.id
      ? { ...values, tokenAddress: await writtenAbout(service) }
      : values;
  const path = examplePath(route, filled);
  const { body } = filledExample(route, filled);
  const manages = route.errors.includes("key_restricted");
  const answered = await service.ask(path, {
    ...(manages ? { key: await managerOf(service) } : {}),
    method: route.method,
    ...(route.body ? { body: body ?? {} } : {}),
  });
  if (answered.status !== route.status)
    throw new Error(`${route.method} ${path} answered ${answered.status}: ${JSON.stringify(answered.body)}`);
  // A rotated key gets a new id.
  if (route.id === "rotateKey") values.keyId = String((answered.body as { id: string }).id);
  if (route.id === "deleteWebhook") values.webhookId = (await webhookOf(service)).id;
  const request = [`${route.method} ${path}`, ...(route.body ? ["", JSON.stringify(body ?? {})] : [])];
  return [
    `### ${route.summary}`,
    `\`${route.method} ${route.path}\`${aliasesOf(route)} — ${costOf(route)}`,
    route.description,
    fenced("http", request.join("\n")),
    `${answered.status}, \`x-credits-cost: ${answered.cost}\``,
    fenced("json", JSON.stringify(shortened(answered.body), null, 2)),
    `Refusals: ${route.errors.map((code) => `${ERROR_CODES[code].status} \`${code}\``).join(", ")}.`,
  ];
}

/** The tokens that an example trader writes about change with the world, unlike names and addresses. */
async function writtenAbout(service: LiveService): Promise<string> {
  const { body } = await service.get("listTraderTheses", `/v2/thesis/user/${PLACEHOLDERS.handle}?limit=1`);
  const [thesis] = body.theses;
  if (!thesis) throw new Error(`${PLACEHOLDERS.handle} wrote nothing in this world.`);
  return thesis.token.address;
}

async function webhookOf(service: LiveService) {
  const body = { url: "https://hooks.example/crowdtape", name: "big buys", type: "buy", minUsd: 500 };
  return (await service.get("createWebhook", "/v2/webhooks", { method: "POST", body })).body;
}

async function replayOf(service: LiveService): Promise<string> {
  const body = { trader: PLACEHOLDERS.handle, window: "7d", stopLossPct: 20 };
  return (await service.get("createReplay", "/v2/replays", { method: "POST", body })).body.id;
}

async function followOf(service: LiveService): Promise<string> {
  const body = { trader: PLACEHOLDERS.handle };
  return (await service.get("createFollow", "/v2/follows", { method: "POST", body })).body.id;
}

/** A key that may manage those of its account. */
async function managerOf(service: LiveService) {
  const { accountId } = service.keys.scale;
  const { secret } = await service.service.access.keys.create({ accountId, name: "production" });
  return { secret, accountId };
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function aliasesOf(route: AnyRoute): string {
  return route.aliases.length === 0 ? "" : `, also \`${route.aliases.join("`, `")}\``;
}

function costOf({ price, access }: AnyRoute): string {
  if (price.credits === 0) return access === "open" || access === "keyless" ? "free, no key needed" : "free";
  const cost = `${price.credits.toLocaleString("en")} credits a ${price.unit}`;
  return access === "keyless" ? `${cost}; free and slower without a key` : cost;
}

function shortened(value: unknown): unknown {
  if (typeof value === "string") return shortText(value);
  if (Array.isArray(value)) return value.slice(0, ROWS_SHOWN).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shortened(field)]));
}

function shortText(text: string): string {
  const blank = text
    .replaceAll(live.url, SERVED_AT)
    .replace(/ct_(live|test)_[0-9A-Za-z]{8,}/, "ct_$1_…")
    .replace(/^tkt_.+/, "tkt_…")
    .replace(/^whsec_.+/, "whsec_…");
  return blank.length > TEXT_SHOWN ? `${blank.slice(0, TEXT_SHOWN)}…` : blank;
}
