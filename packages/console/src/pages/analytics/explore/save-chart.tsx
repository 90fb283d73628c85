import { analyticsCharts_create } from '@mooring/contract';
import { IconBookmark } from '@tabler/icons-react';
import { type Chart, useSaveChart } from '../../../api/telemetry/explore.ts';
import { DialogButton } from '../../../components/dialogs/dialog-button.tsx';
import { getBodyRules } from '../../../components/forms/field-rules.ts';
import { TextField } from '../../../components/forms/fields.tsx';
import { Form } from '../../../components/forms/form.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';

const rule = getBodyRules(analyticsCharts_create);

/** Saves the chart for everyone with access to the app. */
export function SaveChart({ definition }: { definition: Chart['question'] | undefined }) {
  const { appRef, can } = useCurrentApp();
  const saving = useSaveChart(appRef);
  if (!can(analyticsCharts_create)) return null;
  return (
    <DialogButton
      label="Save chart"
      width="md"
      variant="default"
      leftSection={<IconBookmark size={16} aria-hidden />}
      disabled={definition === undefined}
    >
      {(close) => (
        <Form
          action="Save chart"
          sending={saving}
          onCancel={close}
          onSend={(fields) =>
            definition && saving.mutate({ name: fields.text('name') ?? '', question: definition }, { onSuccess: close })
          }
        >
          <TextField
            name="name"
            label="Name"
            rule={rule('name')}
            description="Everyone with access to this app sees it under Explore."
            data-autofocus
          />
        </Form>
      )}
    </DialogButton>
  );
}
