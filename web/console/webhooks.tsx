/** @jsxImportSource preact */
// The account's webhooks: create one, see its state, pause, test, rotate or delete it, and inspect its deliveries. A secret is
// shown once.
import { useEffect, useState } from "preact/hooks";
import type { NewWebhookAnswer, Webhook, WebhooksAnswer } from "../../client/src/generated.ts";
import { WEBHOOK_FORMATS } from "../../contract/shapes/webhooks.ts";
import { Card, Copyable } from "../shared/bits.tsx";
import { count, counted, day } from "../shared/format.ts";
import { Skeleton } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import { sentenceOf, service } from "./state.ts";
import { DeliveriesCard } from "./webhook-deliveries.tsx";
import { newWebhookOf } from "./webhook-form.ts";

export function WebhooksSection() {
  const [list, setList] = useState<WebhooksAnswer | null>(null);
  const [made, setMade] = useState<NewWebhookAnswer | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const [opened, setOpened] = useState<Webhook | null>(null);
  const load = () => service().listWebhooks().then(setList);
  /** Runs an action, then reloads the list or shows the error. */
  const act = async (work: () => Promise<unknown>) => {
    setSaid(null);
    try {
      await work();
      await load();
    } catch (error) {
      setSaid(sentenceOf(error));
    }
  };
  useEffect(() => {
    void act(load);
  }, []);
  const create = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const body = newWebhookOf(new FormData(form));
    void act(async () => {
      setMade(await service().createWebhook(body));
      form.reset();
    });
  };
  const actions = {
    toggle: ({ id: webhookId, status }: Webhook) =>
      act(() => service().updateWebhook({ webhookId, status: status === "active" ? "paused" : "active" })),
    test: ({ id: webhookId }: Webhook) =>
      act(async () => {
        const { ok, delivery } = await service().testWebhook({ webhookId });
        setSaid(ok ? `It took the test in ${delivery.durationMs} ms.` : (delivery.note ?? "It failed."));
      }),
    rotate: ({ id: webhookId }: Webhook) =>
      act(async () => setMade(await service().rotateWebhookSecret({ webhookId }))),
    remove: ({ id: webhookId }: Webhook) => act(() => service().deleteWebhook({ webhookId })),
    open: setOpened,
  };
  return (
    <div class="console-grid">
      <Card title="Make a webhook" class="wide-card">
        <WebhookForm onSubmit={create} />
        {made ? (
          <div class="notice" role="status">
            <p>
              <b>Keep the secret now: it is shown this once.</b>
            </p>
            <p class="secret">
              <Copyable text={made.secret} shown={made.secret} label="the secret" />
            </p>
          </div>
        ) : null}
        {said ? (
          <p class="notice" role="alert">
            {said}
          </p>
        ) : null}
      </Card>
      <Card title="Webhooks" class="wide-card">
        {list === null ? <Skeleton rows={3} /> : <WebhookTable list={list} actions={actions} />}
      </Card>
      {opened ? <DeliveriesCard key={opened.id} webhook={opened} /> : null}
    </div>
  );
}

function WebhookForm({ onSubmit }: { onSubmit: (event: SubmitEvent) => void }) {
  return (
    <form class="filters pad" onSubmit={onSubmit}>
      <label class="grow">
        <span>Endpoint</span>
        <input name="url" type="url" required maxLength={2_000} placeholder="https://…" autocomplete="off" />
      </label>
      <label>
        <span>Name</span>
        <input name="name" maxLength={64} placeholder="big buys" autocomplete="off" />
      </label>
      <label>
        <span>Format</span>
        <select name="format">
          {WEBHOOK_FORMATS.map((format) => (
            <option key={format}>{format}</option>
          ))}
        </select>
      </label>
      <label>
        <span>Telegram chat</span>
        <input name="chatId" placeholder="-100…" autocomplete="off" />
      </label>
      <label>
        <span>Traders</span>
        <input name="trader" placeholder="any" autocomplete="off" />
      </label>
      <label>
        <span>Tokens</span>
        <input name="token" placeholder="any" autocomplete="off" />
      </label>
      <label>
        <span>Kinds</span>
        <input name="type" placeholder="any, or buy,sell" autocomplete="off" />
      </label>
      <label>
        <span>At least, in dollars</span>
        <input name="minUsd" type="number" min={0} step="any" placeholder="0" inputMode="decimal" />
      </label>
      <label>
        <span>Events a request</span>
        <input name="batch" type="number" min={1} max={100} placeholder="1" inputMode="numeric" />
      </label>
      <button type="submit">Make it</button>
    </form>
  );
}

type Actions = Record<"toggle" | "test" | "rotate" | "remove" | "open", (row: Webhook) => unknown>;

function WebhookTable({ list, actions }: { list: WebhooksAnswer; actions: Actions }) {
  if (list.count === 0)
    return (
      <p class="soft pad">
        {list.limit === 0 ? (
          <>
            Your plan includes no webhooks. <a href="/pricing">See the plans</a> that do.
          </>
        ) : (
          `None yet; your plan includes ${list.limit}.`
        )}
      </p>
    );
  return (
    <Table
      label="Webhooks"
      rows={list.webhooks}
      keyOf={(row) => row.id}
      columns={[
        {
          title: "Endpoint",
          cell: (row) => (
            <>
              <b>{row.name ?? row.id}</b> <code class="soft">{hostOf(row.url)}</code>
            </>
          ),
        },
        {
          title: "State",
          cell: (row) => {
            const { text, colour } = stateOf(row);
            return <span class={`chip ${colour}`}>{text}</span>;
          },
        },
        { title: "Delivered", class: "right num", cell: (row) => count(row.delivered) },
        { title: "Change", cell: (row) => <WebhookChanges row={row} actions={actions} /> },
      ]}
    />
  );
}

function stateOf(row: Webhook): { text: string; colour: "green" | "amber" | "red" } {
  if (row.status === "paused") return { text: `paused (${row.pausedBecause ?? "owner"})`, colour: "red" };
  if (row.waitingFor) return { text: `waits for ${row.waitingFor}`, colour: "amber" };
  if (row.failures > 0) {
    const next = row.nextAttemptAt ? `, again ${day(Date.parse(row.nextAttemptAt), true)}` : "";
    return { text: `${counted(row.failures, "failure")}${next}`, colour: "amber" };
  }
  return { text: "works", colour: "green" };
}

function WebhookChanges({ row, actions }: { row: Webhook; actions: Actions }) {
  const [isSure, setSure] = useState(false);
  const button = (title: string, work: (row: Webhook) => unknown, look = "plain small") => (
    <button type="button" class={look} onClick={() => work(row)}>
      {title}
    </button>
  );
  return (
    <span class="pair">
      {button(row.status === "active" ? "Pause" : "Resume", actions.toggle)}
      {button("Test", actions.test)}
      {button("Deliveries", actions.open)}
      {button("Rotate secret", actions.rotate)}
      {isSure
        ? button("Delete for good", actions.remove, "small danger")
        : button("Delete", () => setSure(true))}
    </span>
  );
}

/** An endpoint's path may be secret. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
