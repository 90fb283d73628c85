import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useDecideDevice, useDeviceSignIn } from '../../api/account/device-sign-in.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { DescriptionList } from '../../components/text/description-list.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { Time } from '../../components/text/time.tsx';
import { paths } from '../../paths.ts';

/** Signs in the command line that shows a code. The code of a link is shown for comparison, and nothing happens by itself. */
export function DeviceCode({ linked }: { linked: string | undefined }) {
  const [code, setCode] = useState(linked);
  const request = useDeviceSignIn(code);
  if (code === undefined || !request.data) {
    return (
      <Paper withBorder p="lg" maw={640}>
        <Form
          action="Continue"
          isFleeting
          sending={{ isPending: request.isFetching, error: request.error }}
          onSend={(fields) => {
            const entered = fields.text('code') ?? '';
            if (entered === code) request.refetch();
            else setCode(entered);
          }}
        >
          <TextField
            name="code"
            label="Code"
            description="The command line shows it, for example WDJB-MJHT."
            rule={{ isRequired: true }}
            defaultValue={code}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            autoFocus
          />
        </Form>
      </Paper>
    );
  }
  return <Decision key={code} code={code} request={request.data} />;
}

type DeviceRequest = NonNullable<ReturnType<typeof useDeviceSignIn>['data']>;

function Decision({ code, request }: { code: string; request: DeviceRequest }) {
  const decision = useDecideDevice(code);
  if (decision.isSuccess) {
    return (
      <Text role="status">
        {decision.variables
          ? 'Return to the command line: it signs in within seconds. Stay signed in here until then. '
          : 'Refused: the command line is not signed in. '}
        Its tokens are under <TextLink to={paths.tokens}>API tokens</TextLink>.
      </Text>
    );
  }
  return (
    <Stack maw={640}>
      <DescriptionList
        items={[
          ['Code', code.toUpperCase()],
          ['Program', request.client_name],
          ['Machine', request.device_name || 'Unknown'],
          ['IP address', request.address],
          ['Requested', <Time key="requested" at={request.requested_at} />],
        ]}
      />
      <Alert color="yellow">
        Continue only if you started this yourself and your command line shows this code. The machine gets full access
        to your account.
      </Alert>
      {decision.isError && <Failure error={decision.error} title="Couldn't save your decision" />}
      <Group>
        <Button loading={decision.isPending && decision.variables} onClick={() => decision.mutate(true)}>
          Sign in this machine
        </Button>
        <Button variant="default" disabled={decision.isPending} onClick={() => decision.mutate(false)}>
          Refuse
        </Button>
      </Group>
    </Stack>
  );
}
