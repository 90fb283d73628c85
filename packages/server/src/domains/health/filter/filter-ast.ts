/** What a $filter says, after parsing: property names are canonical, values typed. */
export type FilterNode =
  | { kind: 'and' | 'or'; nodes: FilterNode[] }
  | { kind: 'not'; node: FilterNode }
  | {
      kind: 'compare';
      property: FilterProperty;
      operator: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';
      /** A time is epoch milliseconds. */
      value: string | number | boolean;
    };

export type FilterProperty =
  | 'service'
  | 'region'
  | 'eventType'
  | 'eventSource'
  | 'status'
  | 'eventLevel'
  | 'level'
  | 'trackingId'
  | 'isHIR'
  | 'priority'
  | 'lastUpdateTime'
  | 'impactStartTime';
