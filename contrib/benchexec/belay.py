# BenchExec's description of Belay: how it is called and what its output means.
#
# Put the repository's root on PYTHONPATH and name the tool in a benchmark definition:
#   <benchmark tool="contrib.benchexec.belay" ...>     with   --tool-directory DIR   or `belay` on PATH

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """Belay, a verifier for C programs."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("belay", subdir="bin")

    def name(self):
        return "Belay"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="belay ")

    def cmdline(self, executable, options, task, rlimits):
        words = [executable, "check", *options, "--rules", "svcomp"]
        if task.property_file:
            words += ["--property", task.property_file]
        model = (task.options or {}).get("data_model")
        if model:
            words += ["--data-model", model]
        # The answer has to be printed before BenchExec ends the run.
        limit = rlimits.cputime_hard or rlimits.cputime or rlimits.walltime
        if limit:
            words += ["--time-limit", str(max(1, int(limit) - 1))]
        if rlimits.memory:
            words += ["--memory-limit", str(rlimits.memory // (1 << 20))]
        return words + list(task.input_files)

    def determine_result(self, run):
        verdicts = [line.split(" ", 2)[2] for line in run.output if line.startswith("VERDICT ")]
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        if len(verdicts) != 1:
            return result.RESULT_ERROR
        verdict = verdicts[0].strip()
        if verdict == "true":
            return result.RESULT_TRUE_PROP
        if verdict.startswith("unknown"):
            reason = verdict[len("unknown(") : -1]
            return f"{result.RESULT_UNKNOWN} ({reason})" if reason else result.RESULT_UNKNOWN
        if verdict.startswith("false("):
            return KINDS.get(verdict[len("false(") : -1], result.RESULT_FALSE_PROP)
        return result.RESULT_ERROR


KINDS = {
    "valid-deref": result.RESULT_FALSE_DEREF,
    "valid-free": result.RESULT_FALSE_FREE,
    "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
    "memcleanup": result.RESULT_FALSE_MEMCLEANUP,
    "no-overflow": result.RESULT_FALSE_OVERFLOW,
    "termination": result.RESULT_FALSE_TERMINATION,
    "unreach-call": result.RESULT_FALSE_REACH,
}
