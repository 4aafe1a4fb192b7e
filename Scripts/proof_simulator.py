# SPDX-License-Identifier: Apache-2.0
"""The results of `make simulate` and `make mutants`, for the page of proof."""
import json
import re
import tomllib

RUN = re.compile(r"seeds-(\d+)-(\d+)-days-(\d+)(-failures)?(-optimised)?")
PLAYED = re.compile(r"^simulated (\d+) seeds of \d+ days: (\d+) notifications, (\d+) ends of the center, ([0-9.]+) s",
                    re.MULTILINE)
DIFFERENT = re.compile(r"\bseed (\d+), \d+ days: ")


def logs(folder):
    """The outputs of the runs that played all steps of their scripts, in the order of their seeds and days."""
    named = [(found, log) for log in folder.glob("*.log") if (found := RUN.fullmatch(log.stem))]
    return [log for _, log in sorted(named, key=lambda run: ([int(run[0].group(part)) for part in (3, 1, 2)], run[1].name))]


def runs(logs):
    yield ("| seeds | days of each | years | build | the disk also fails | notifications | ends of the center "
           "| differences | minutes | repeat |")
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for log in logs:
        first, last, days, failures, optimised = RUN.fullmatch(log.stem).groups()
        text = log.read_text(errors="replace")
        played = [[float(figure) for figure in part] for part in PLAYED.findall(text)]
        seeds, notifications, ends, seconds = (sum(part[place] for part in played) for place in range(4))
        wanted = int(last) - int(first) + 1
        different = sorted({int(seed) for seed in DIFFERENT.findall(text)})
        differences = f"seeds {', '.join(map(str, different))}" if different else "0"
        # A part with a difference ends there, unless it was asked to go on.
        if seeds != wanted:
            differences += f"; {wanted - seeds:.0f} of the seeds were not played to their end"
        command = f"make simulate SEED={first}" + (f" SEEDS={wanted}" if wanted > 1 else "")
        command += "" if days == "6" else f" YEARS={int(days) // 365}" if int(days) % 365 == 0 else f" DAYS={days}"
        command += (" FAILURES=1" if failures else "") + (" OPTIMISED=1" if optimised else "")
        build = "optimised" if optimised else "debug"
        numbers = f"{first} to {last}" if wanted > 1 else first
        yield (f"| {numbers} | {days} | {seeds * int(days) / 365.25:.1f} | {build} | {'yes' if failures else 'no'} "
               f"| {notifications:.0f} | {ends:.0f} | {differences} | {seconds / 60:.1f} | `{command}` |")


def defects(results, mutants):
    """What the simulator said about each deliberate defect, and what that defect does."""
    found = json.loads(results.read_text())
    with open(mutants, "rb") as file:
        effects = {mutant["name"]: mutant["why"] for mutant in tomllib.load(file)["mutant"]}
    count = sum(mutant["found"] for mutant in found)
    yield f"{count} of {len(found)} deliberate defects were found (`make mutants`):"
    yield ""
    yield "| defect | its effect | found | seconds |"
    yield "|---|---|---|---|"
    for mutant in found:
        seed = re.match(r"seed (\d+)", mutant["what"])
        how = "NOT FOUND" if not mutant["found"] else f"by seed {seed.group(1)}" if seed else mutant["what"]
        effect = effects[mutant["name"]].replace("|", "\\|")
        yield f"| `{mutant['name']}` | {effect} | {how} | {mutant['seconds']:.1f} |"
