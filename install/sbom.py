# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
"""A bill of materials of mikgen: what is linked into it or loaded with it, as SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3).

    sbom.py FILE MIKGEN VERSION [PACKAGE...]       PACKAGE: Debian's, of what is linked statically; with a + in front: of what is in the file

Shared libraries are those that the loader finds now; of which version, Debian's list of packages says, where there is one. The document has
the date of SOURCE_DATE_EPOCH, else none that means anything: the same program gives the same bytes.
"""
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys

# By the beginning of the Debian package's name.
LICENCES = {
    "libclang": "Apache-2.0 WITH LLVM-exception", "llvm": "Apache-2.0 WITH LLVM-exception", "libllvm": "Apache-2.0 WITH LLVM-exception",
    "libglpk": "GPL-3.0-or-later", "libisl": "MIT", "libjansson": "MIT", "zlib1g": "Zlib", "libzstd": "BSD-3-Clause OR GPL-2.0-only",
    "libgmp": "LGPL-3.0-or-later OR GPL-2.0-or-later", "libc6": "LGPL-2.1-or-later", "libltdl": "LGPL-2.1-or-later",
    "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1", "libgcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libamd": "BSD-3-Clause", "libcolamd": "BSD-3-Clause", "libsuitesparseconfig": "BSD-3-Clause",
    "libsuitesparse": "BSD-3-Clause",
    "python3-jinja2": "BSD-3-Clause", "python3-markupsafe": "BSD-3-Clause", "python3": "PSF-2.0", "libxgboost": "Apache-2.0",
}
# Not linked, but run or loaded when mikgen runs.
LOADED = {"python3": "RUNTIME_DEPENDENCY_OF", "python3-jinja2": "RUNTIME_DEPENDENCY_OF", "libxgboost0": "OPTIONAL_DEPENDENCY_OF"}


def output(*command):
    try:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def package_of(library):
    """The Debian package that a library comes from; its own name where there is none."""
    for path in (library, os.path.realpath(library), "/usr" + library):
        found = output("dpkg-query", "-S", path)
        if found:
            return found.split(":")[0]
    return os.path.basename(library)


def linked(program):
    libraries = re.findall(r"=> (/\S+)", output("ldd", program))
    if not libraries:
        sys.exit("sbom.py: ldd finds no library of %s" % program)
    return sorted({package_of(library) for library in libraries})


def describe(package):
    version = output("dpkg-query", "-W", "-f=${Version}", package) or "NOASSERTION"
    known = [name for name in LICENCES if package.lower().startswith(name)]
    licence = LICENCES[max(known, key=len)] if known else "NOASSERTION"
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", package), "name": package, "versionInfo": version,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": "pkg:deb/debian/%s@%s" % (package, version)}],
    }


def document(program, version, inside):
    ours = describe("mikgen")
    ours.update(versionInfo=version, licenseConcluded="GPL-3.0-or-later", licenseDeclared="GPL-3.0-or-later",
                copyrightText="The mikgen authors")
    del ours["externalRefs"]
    parts = [("CONTAINS" if name[0] == "+" else "STATIC_LINK", name.lstrip("+")) for name in inside]
    parts += [("DYNAMIC_LINK", package) for package in linked(program)]
    parts += [(kind, package) for package, kind in LOADED.items() if "+" + package not in inside]
    packages = [ours] + [describe(package) for _, package in parts]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": ours["SPDXID"]}]
    for (kind, _), package in zip(parts, packages[1:]):
        ends = [ours["SPDXID"], package["SPDXID"]]
        if kind.endswith("_OF"):
            ends.reverse()
        relations.append({"spdxElementId": ends[0], "relationshipType": kind, "relatedSpdxElement": ends[1]})
    hashed = hashlib.sha256(json.dumps([packages, relations]).encode()).hexdigest()
    when = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "mikgen-" + version,
        "documentNamespace": "https://spdx.org/spdxdocs/mikgen-%s-%s" % (version, hashed),
        "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: mikgen-" + version]},
        "packages": packages, "relationships": relations,
    }


def main():
    path, program, version = sys.argv[1:4]
    text = json.dumps(document(program, version, sys.argv[4:]), indent=2)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text + "\n")


main()
