#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""simulation_copy.py DIR  copies what the simulator needs of this package to DIR: a fifth of the build, apart from the rest

A copy that is there is brought up to date. Unchanged files keep their times, so that little is built again.
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Of the package, only the simulation and what it needs.
ONLY_SIMULATION = '''
var kept: Set<String> = []
var open = ["SimulationTests"]
while let name = open.popLast() {
  guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
  for dependency in target.dependencies {
    switch dependency {
    case .targetItem(let name, _), .byNameItem(let name, _): open.append(name)
    default: break
    }
  }
}
package.targets.removeAll { !kept.contains($0.name) }
package.products.removeAll { product in
  let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
  return !targets.allSatisfy(kept.contains)
}
'''


def copy(target, contents={}):
    """Makes the copy, or brings it up to date. Files in `contents` get that content instead of their own."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout.decode()
    files = {name for name in names.split("\0") if name and (ROOT / name).exists()}
    # Of the few links to folders, the simulation needs none.
    files -= {name for name in files if (ROOT / name).is_dir()}
    package = (ROOT / "Package.swift").read_bytes() + ONLY_SIMULATION.encode()
    contents = {**contents, "Package.swift": package}
    for name in files | contents.keys():
        put(target / name, contents[name] if name in contents else (ROOT / name).read_bytes(), ROOT / name)
    for path in sorted(target.rglob("*")):
        name = path.relative_to(target)
        if path.is_file() and name.parts[0] != ".build" and str(name) not in files and str(name) not in contents:
            path.unlink()


def put(path, content, like):
    """Writes a file, unless it has this content, with the mode of another one."""
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if like.exists():
        path.chmod(like.stat().st_mode & 0o777)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    copy(pathlib.Path(sys.argv[1]))
