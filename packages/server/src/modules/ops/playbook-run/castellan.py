"""Tells what happens in a playbook as lines of JSON on descriptor 3, for each host and task."""
import json
import os

from ansible.plugins.callback import CallbackBase

LONGEST = 16384


def _text(value):
    return value[:LONGEST] if isinstance(value, str) else None


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = 'stdout'
    CALLBACK_NAME = 'castellan'

    def _say(self, **said):
        data = (json.dumps(said) + '\n').encode()
        while data:
            data = data[os.write(3, data):]

    def _host(self, result, status):
        found = result._result
        self._say(
            host=result._host.get_name(),
            task=_text(result._task.get_name().strip()),
            status=status,
            message=_text(found.get('msg')),
            stdout=_text(found.get('stdout')),
            stderr=_text(found.get('stderr')),
            ignored=bool(status == 'failed' and result._task.ignore_errors),
        )

    def v2_playbook_on_play_start(self, play):
        self._say(play=_text(play.get_name().strip()))

    def v2_runner_on_ok(self, result):
        self._host(result, 'changed' if result._result.get('changed') else 'ok')

    def v2_runner_on_failed(self, result, ignore_errors=False):
        self._host(result, 'failed')

    def v2_runner_on_unreachable(self, result):
        self._host(result, 'unreachable')

    def v2_runner_on_skipped(self, result):
        self._host(result, 'skipped')

    def v2_playbook_on_stats(self, stats):
        self._say(ended={host: stats.summarize(host) for host in stats.processed})
