import { IconUsers } from '@tabler/icons-react';
import { type Operator, useAddOperator, useOperators, useRemoveOperator } from '../../api/health/subscriptions.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { AddByName } from '../../components/forms/add-by-name.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn, userColumns } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';

export default function OperatorsPage() {
  const confirmation = useConfirm<Operator>({
    title: ({ display_name }) => `Remove operator ${display_name}?`,
    action: 'Remove operator',
    consequence: ({ display_name }) =>
      `${display_name} can no longer publish, edit or withdraw health events, or read events of other subscriptions.`,
    openDialog: useRemoveOperator(),
  });
  return (
    <Page
      title="Health operators"
      description="Users who can publish health events, in addition to administrators."
      actions={<AddByName label="User to add" adding={useAddOperator()} />}
    >
      <DataTable
        id="subscriptions-operators"
        label="Health operators"
        query={useOperators()}
        rowKey={({ name }) => name}
        empty={
          <EmptyState icon={<IconUsers size={32} aria-hidden />}>
            No health operators yet. Administrators can always publish events.
          </EmptyState>
        }
        columns={[
          ...userColumns<Operator>((operator) => operator),
          timeColumn<Operator>('since', 'Since', ({ since }) => since),
          actionsColumn<Operator>(100, (operator) => (
            <RowButton label={`Remove ${operator.display_name}`} onClick={() => confirmation.open(operator)}>
              Remove
            </RowButton>
          )),
        ]}
      />
      {confirmation.dialog}
    </Page>
  );
}
