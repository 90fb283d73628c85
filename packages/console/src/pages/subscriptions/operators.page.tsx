import { IconUsers } from '@tabler/icons-react';
import { type Operator, useAddOperator, useOperators, useRemoveOperator } from '../../api/subscriptions.ts';
import { AddByName } from '../../parts/add-by-name.tsx';
import { actionsColumn, personColumns, timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';

export default function OperatorsPage() {
  const question = useQuestion<Operator>({
    title: ({ display_name }) => `Remove ${display_name}?`,
    action: 'Remove',
    loss: ({ display_name }) =>
      `${display_name} can no longer publish, change or withdraw health events, nor read those of others.`,
    doing: useRemoveOperator(),
  });
  return (
    <Page
      title="Health operators"
      lead="They publish health events, as administrators do."
      actions={<AddByName label="User to add" adding={useAddOperator()} />}
    >
      <DataTable
        label="Health operators"
        reading={useOperators()}
        keyOf={({ name }) => name}
        empty={<Empty icon={<IconUsers size={32} aria-hidden />}>Only administrators publish health events.</Empty>}
        columns={[
          ...personColumns<Operator>((operator) => operator),
          timeColumn<Operator>('Since', ({ since }) => since),
          actionsColumn<Operator>(100, (operator) => (
            <RowButton label={`Remove ${operator.display_name}`} onClick={() => question.ask(operator)}>
              Remove
            </RowButton>
          )),
        ]}
      />
      {question.dialog}
    </Page>
  );
}
