import type * as common from '../../../kernel/filter/filter-ast.ts';

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

/** What a $filter of health events says, after parsing. */
export type FilterNode = common.FilterNode<FilterProperty>;
