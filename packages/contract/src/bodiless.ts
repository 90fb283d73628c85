/**
 * Operations that accept POST, PUT or PATCH without a body although the rule answers 411,
 * because a client in the field sends none: operation id → which client, and what breaks otherwise.
 */
export const mayOmitBody: Readonly<Record<string, string>> = {
  orgInvitations_sendNewInvitation:
    'appcenter-cli 3.0.4 sends none with "orgs collaborators update", which would fail for everybody invited already',
};
