// Counters, gauges and histograms in the Prometheus text form. A metric is declared once, with its help and label
// names; label values come from closed sets, so the number of series is bounded by construction.

type Labels = Record<string, string>;

export interface Counter {
  add(amount?: number): void;
  /** The series with these labels; keep a reference if it is used often. */
  of(labels: Labels): Counter;
}

export interface Gauge {
  set(value: number): void;
  of(labels: Labels): Gauge;
}

export interface Histogram {
  observe(value: number): void;
  of(labels: Labels): Histogram;
}

export interface Metrics {
  counter(name: string, help: string): Counter;
  gauge(name: string, help: string): Gauge;
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** Evaluated on each scrape: for values that are already kept elsewhere. */
  probe(name: string, help: string, read: () => number): void;
  /** Lines rendered by another process, read on each scrape. */
  include(read: () => string): void;
  render(): string;
}

/** Seconds, from a cached read to a slow upstream. */
export const LATENCY_BOUNDS_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

interface Family {
  help: string;
  type: "counter" | "gauge" | "histogram";
  lines(name: string): string[];
}

export function createMetrics(): Metrics {
  const included: (() => string)[] = [];
  const families = new Map<string, Family>();
  const declare = <T extends Family>(name: string, family: T): T => {
    if (families.has(name)) throw new Error(`metric ${name} is declared twice`);
    families.set(name, family);
    return family;
  };
  return {
    counter(name, help) {
      const values = new Map<string, Cell>();
      declare(name, { help, type: "counter", lines: (as) => valueLines(as, values) });
      const series = (key: string): Counter => {
        // Shown once it has counted something; cached, because busy ones count on every request.
        let cell = values.get(key);
        return {
          add(amount = 1) {
            cell ??= cellOf(values, key);
            cell.value += amount;
          },
          of: (labels) => series(labelText(labels)),
        };
      };
      return series("");
    },
    gauge(name, help) {
      const values = new Map<string, Cell>();
      declare(name, { help, type: "gauge", lines: (as) => valueLines(as, values) });
      const series = (key: string): Gauge => ({
        set(value) {
          cellOf(values, key).value = value;
        },
        of: (labels) => series(labelText(labels)),
      });
      return series("");
    },
    histogram(name, help, bounds) {
      const entries = new Map<string, HistogramSeries>();
      declare(name, { help, type: "histogram", lines: (as) => histogramLines(as, bounds, entries) });
      const entryOf = (key: string): HistogramSeries => {
        const entry = entries.get(key) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 };
        entries.set(key, entry);
        return entry;
      };
      const series = (key: string): Histogram => {
        let entry = entries.get(key);
        return {
          observe(value) {
            entry ??= entryOf(key);
            let bucket = 0;
            while (bucket < bounds.length && !(value <= (bounds[bucket] as number))) bucket++;
            if (bucket < bounds.length) entry.counts[bucket] = (entry.counts[bucket] as number) + 1;
            entry.sum += value;
            entry.count++;
          },
          of: (labels) => series(labelText(labels)),
        };
      };
      return series("");
    },
    probe(name, help, read) {
      declare(name, { help, type: "gauge", lines: (as) => [`${as} ${read()}`] });
    },
    render: () =>
      [...families]
        .flatMap(([name, family]) => [
          `# HELP ${name} ${family.help}`,
          `# TYPE ${name} ${family.type}`,
          ...family.lines(name),
        ])
        .join("\n")
        .concat("\n", ...included.map((read) => read())),
    include: (read) => void included.push(read),
  };
}

interface Cell {
  value: number;
}

/** One per series, created on first use. */
function cellOf(values: Map<string, Cell>, key: string): Cell {
  const cell = values.get(key) ?? { value: 0 };
  values.set(key, cell);
  return cell;
}

function valueLines(name: string, values: Map<string, Cell>): string[] {
  return [...values].map(([key, { value }]) => `${name}${key} ${value}`);
}

interface HistogramSeries {
  /** Counts per bucket, not cumulative; the text form adds them up. */
  counts: number[];
  sum: number;
  count: number;
}

function histogramLines(
  name: string,
  bounds: readonly number[],
  entries: Map<string, HistogramSeries>,
): string[] {
  return [...entries].flatMap(([key, { counts, sum, count }]) => {
    const inside = key === "" ? "" : `${key.slice(1, -1)},`;
    let below = 0;
    const buckets = bounds.map((bound, index) => {
      below += counts[index] ?? 0;
      return `${name}_bucket{${inside}le="${bound}"} ${below}`;
    });
    return [
      ...buckets,
      `${name}_bucket{${inside}le="+Inf"} ${count}`,
      `${name}_sum${key} ${sum}`,
      `${name}_count${key} ${count}`,
    ];
  });
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replace(/[\\"\n]/g, (mark) => (mark === "\n" ? "\\n" : `\\${mark}`))}"`,
  );
  return `{${pairs.join(",")}}`;
}
