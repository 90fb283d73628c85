import type { TableSet } from '../../src/db/tables.ts';
import type { domains } from '../../src/domains.ts';
import type { rateCountsTables } from '../../src/http/rate-limits/rate-counts.tables.ts';
import type { jobsTables } from '../../src/jobs/jobs.tables.ts';
import type { deliveryTables } from '../../src/outbound/delivery/delivery.tables.ts';
import type { uploadsTables } from '../../src/uploads/uploads.tables.ts';

type Rows<S> = S extends TableSet<infer Tables> ? Tables : never;

/** Turns `A | B` into `A & B`. */
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;

type DomainTables = Intersection<Rows<NonNullable<(typeof domains)[number]['tables']>>>;

type PlatformTables = Rows<typeof jobsTables> &
  Rows<typeof deliveryTables> &
  Rows<typeof rateCountsTables> &
  Rows<typeof uploadsTables>;

type TestedTables = DomainTables & PlatformTables;

/** Tests and benchmarks query tables of several domains directly. */
declare module '../../src/db/handle.ts' {
  interface QueryTables extends TestedTables {
    key_values: { name: string; value: string };
    versions: { name: string; value: number };
  }
}
