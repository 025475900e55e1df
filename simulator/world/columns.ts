// Bulk records as struct-of-arrays: one typed array per field, of a fixed capacity. A table takes the memory of its fields,
// never grows, and its used part can be written to and read from a file in its memory layout.

export class F64 {
  readonly data: Float64Array;
  constructor(capacity: number) {
    this.data = new Float64Array(capacity);
  }
  get(index: number): number {
    return this.data[index] as number;
  }
  set(index: number, value: number): void {
    this.data[index] = value;
  }
  add(index: number, value: number): void {
    this.data[index] = (this.data[index] as number) + value;
  }
}

export class F32 {
  readonly data: Float32Array;
  constructor(capacity: number) {
    this.data = new Float32Array(capacity);
  }
  get(index: number): number {
    return this.data[index] as number;
  }
  set(index: number, value: number): void {
    this.data[index] = value;
  }
}

export class U32 {
  readonly data: Uint32Array;
  constructor(capacity: number) {
    this.data = new Uint32Array(capacity);
  }
  get(index: number): number {
    return this.data[index] as number;
  }
  set(index: number, value: number): void {
    this.data[index] = value;
  }
  add(index: number, value: number): void {
    this.data[index] = (this.data[index] as number) + value;
  }
}

export class U16 {
  readonly data: Uint16Array;
  constructor(capacity: number) {
    this.data = new Uint16Array(capacity);
  }
  get(index: number): number {
    return this.data[index] as number;
  }
  set(index: number, value: number): void {
    this.data[index] = value;
  }
}

export class U8 {
  readonly data: Uint8Array;
  constructor(capacity: number) {
    this.data = new Uint8Array(capacity);
  }
  get(index: number): number {
    return this.data[index] as number;
  }
  set(index: number, value: number): void {
    this.data[index] = value;
  }
}

type AnyColumn = F64 | F32 | U32 | U16 | U8;
type ColumnClass = new (capacity: number) => AnyColumn;
type ColumnsOf<Spec extends Record<string, ColumnClass>> = {
  readonly [Name in keyof Spec]: InstanceType<Spec[Name]>;
};

export interface ColumnTable<Spec extends Record<string, ColumnClass>> {
  readonly capacity: number;
  readonly columns: ColumnsOf<Spec>;
}

export function table<const Spec extends Record<string, ColumnClass>>(
  capacity: number,
  spec: Spec,
): ColumnTable<Spec> {
  const columns = Object.fromEntries(
    Object.entries(spec).map(([name, Column]) => [name, new Column(capacity)]),
  );
  return { capacity, columns: columns as ColumnsOf<Spec> };
}

/** The first `rows` rows of every column, as bytes in place: a write reads them, a read fills them. */
export function columnBytes(
  of: { columns: Record<string, AnyColumn> },
  rows: number,
): [string, Uint8Array][] {
  return Object.entries(of.columns).map(([name, { data }]) => [
    name,
    new Uint8Array(data.buffer, data.byteOffset, rows * data.BYTES_PER_ELEMENT),
  ]);
}

/** No row: a link to a slot that points nowhere. */
export const NONE = 0xffffffff;
