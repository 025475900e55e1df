/** @jsxImportSource preact */
// Sparklines, rendered by the server as well: a line without axes, and a bar around zero.

function linePath(values: readonly number[], width: number, height: number, pad = 1): string {
  const low = Math.min(0, ...values);
  const range = Math.max(0, ...values) - low || 1;
  const step = (width - 2 * pad) / Math.max(1, values.length - 1);
  return values
    .map((value, index) => {
      const x = pad + index * step;
      const y = height - pad - ((value - low) / range) * (height - 2 * pad);
      return `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
}

export function Sparkline({ values, label }: { values: readonly number[] | null; label: string }) {
  const [width, height] = [84, 22];
  if (values === null || values.length < 2)
    return <svg class="spark" width={width} height={height} aria-hidden="true" />;
  const last = values.at(-1) ?? 0;
  const low = Math.min(0, ...values);
  const range = Math.max(0, ...values) - low || 1;
  const zero = height - 1 - ((0 - low) / range) * (height - 2);
  return (
    <svg
      class={`spark ${last >= 0 ? "gain" : "loss"}`}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <line x1="0" x2={width} y1={zero} y2={zero} />
      <path d={linePath(values, width, height)} />
    </svg>
  );
}

/** A line as wide as its box, with the area below it; around zero, or by its own range. */
export function Trend(props: { values: readonly number[] | null; label: string; fromZero?: boolean }) {
  const { values, label, fromZero = true } = props;
  if (values === null || values.length < 2) return null;
  const [width, height] = [320, 72];
  const floor = fromZero ? 0 : Math.min(...values);
  const line = linePath(
    values.map((value) => value - floor),
    width,
    height,
    2,
  );
  const isGain = (values.at(-1) ?? 0) >= (fromZero ? 0 : (values[0] ?? 0));
  return (
    <svg
      class={`trend ${isGain ? "gain" : "loss"}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="under" d={`${line}V${height}H2Z`} />
      <path class="line" d={line} />
    </svg>
  );
}

/**
 * One bar relative to the largest of its column: from the left where the column has only gains, else from the middle, to the
 * right for a gain and to the left for a loss.
 */
export function PnlBar({ value, largest, both }: { value: number; largest: number; both: boolean }) {
  const share = largest > 0 ? Math.min(1, Math.abs(value) / largest) : 0;
  const zero = both ? 50 : 0;
  const length = Math.max(1, share * (100 - zero));
  return (
    <svg
      class="pnlbar"
      width="100%"
      height="6"
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <line x1={zero} x2={zero} y1="0" y2="6" />
      <rect
        class={value >= 0 ? "gain" : "loss"}
        x={value >= 0 ? zero : zero - length}
        y="1"
        width={length}
        height="4"
      />
    </svg>
  );
}

/** Two shares of one whole: bought and sold, won and lost. */
export function SplitBar({ left, right, label }: { left: number; right: number; label: string }) {
  const whole = left + right;
  const share = whole > 0 ? (left / whole) * 100 : 50;
  return (
    <svg
      class="splitbar"
      width="100%"
      height="6"
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect class={whole > 0 ? "gain" : "none"} x="0" y="0" width={Math.max(0, share - 0.6)} height="6" />
      <rect
        class={whole > 0 ? "loss" : "none"}
        x={Math.min(100, share + 0.6)}
        y="0"
        width={Math.max(0, 99.4 - share)}
        height="6"
      />
    </svg>
  );
}
