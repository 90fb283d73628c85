export const filterOperators = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const;
export type FilterOperator = (typeof filterOperators)[number];

export interface Comparison<P extends string = string> {
  kind: 'compare';
  property: P;
  operator: FilterOperator;
  /** A time is epoch milliseconds. */
  value: string | number | boolean;
}

/** A parsed filter: property names are canonical, values have their types. */
export type FilterNode<P extends string = string> =
  | { kind: 'and' | 'or'; nodes: FilterNode<P>[] }
  | { kind: 'not'; node: FilterNode<P> }
  | Comparison<P>;
