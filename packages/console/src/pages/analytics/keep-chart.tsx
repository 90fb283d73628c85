import { analyticsCharts_create } from '@mooring/contract';
import { IconBookmark } from '@tabler/icons-react';
import { type Chart, useKeepChart } from '../../api/explore.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { useAppHere } from '../../parts/may.ts';

const rule = fieldsOf(analyticsCharts_create);

/** Gives what is shown a name, for everybody who can see the app. */
export function KeepChart({ question }: { question: Chart['question'] | undefined }) {
  const { appRef, may } = useAppHere();
  const keeping = useKeepChart(appRef);
  if (!may(analyticsCharts_create)) return null;
  return (
    <DialogButton
      label="Save chart"
      width="md"
      variant="default"
      leftSection={<IconBookmark size={16} aria-hidden />}
      disabled={question === undefined}
    >
      {(close) => (
        <Form
          action="Save"
          sending={keeping}
          onCancel={close}
          onSend={(fields) =>
            question && keeping.mutate({ name: fields.text('name') ?? '', question }, { onSuccess: close })
          }
        >
          <TextField
            name="name"
            label="Name"
            rule={rule('name')}
            description="Everybody who can see the app finds it under Explore."
            data-autofocus
          />
        </Form>
      )}
    </DialogButton>
  );
}
